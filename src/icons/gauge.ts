import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'gauge',
  node: [
    ['path', { d: 'm12 14 4-4', key: '9kzdfg' }],
    ['path', { d: 'M3.34 19a10 10 0 1 1 17.32 0', key: '19p75a' }],
  ],
})
