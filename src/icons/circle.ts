import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'circle',
  node: [['circle', { cx: '12', cy: '12', r: '10', key: '1mglay' }]],
})
