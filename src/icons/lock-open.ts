import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'lock-open',
  node: [
    ['rect', { width: '18', height: '11', x: '3', y: '11', rx: '2', ry: '2', key: '1w4ew1' }],
    ['path', { d: 'M7 11V7a5 5 0 0 1 9.9-1', key: '1mm8w8' }],
  ],
})
