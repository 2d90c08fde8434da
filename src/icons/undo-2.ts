import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'undo-2',
  node: [
    ['path', { d: 'M9 14 4 9l5-5', key: '102s5s' }],
    ['path', { d: 'M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11', key: 'f3b9sd' }],
  ],
})
