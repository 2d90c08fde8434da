import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'chevron-down',
  node: [['path', { d: 'm6 9 6 6 6-6', key: 'qrunsl' }]],
})
