import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'list-filter',
  node: [
    ['path', { d: 'M2 5h20', key: '1fs1ex' }],
    ['path', { d: 'M6 12h12', key: '8npq4p' }],
    ['path', { d: 'M9 19h6', key: '456am0' }],
  ],
})
