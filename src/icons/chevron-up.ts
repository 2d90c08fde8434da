import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'chevron-up',
  node: [['path', { d: 'm18 15-6-6-6 6', key: '153udz' }]],
})
