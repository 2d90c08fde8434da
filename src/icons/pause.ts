import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'pause',
  node: [
    ['rect', { x: '14', y: '3', width: '5', height: '18', rx: '1', key: 'kaeet6' }],
    ['rect', { x: '5', y: '3', width: '5', height: '18', rx: '1', key: '1wsw3u' }],
  ],
})
