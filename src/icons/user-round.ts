import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'user-round',
  node: [
    ['circle', { cx: '12', cy: '8', r: '5', key: '1hypcn' }],
    ['path', { d: 'M20 21a8 8 0 0 0-16 0', key: 'rfgkzh' }],
  ],
})
