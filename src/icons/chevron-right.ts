import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'chevron-right',
  node: [['path', { d: 'm9 18 6-6-6-6', key: 'mthhwq' }]],
})
