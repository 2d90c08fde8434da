import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'ban',
  node: [
    ['circle', { cx: '12', cy: '12', r: '10', key: '1mglay' }],
    ['path', { d: 'M4.929 4.929 19.07 19.071', key: '196cmz' }],
  ],
})
