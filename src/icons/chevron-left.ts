import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'chevron-left',
  node: [['path', { d: 'm15 18-6-6 6-6', key: '1wnfg3' }]],
})
