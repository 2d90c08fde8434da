import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'arrow-down',
  node: [
    ['path', { d: 'M12 5v14', key: 's699le' }],
    ['path', { d: 'm19 12-7 7-7-7', key: '1idqje' }],
  ],
})
