import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'list-plus',
  node: [
    ['path', { d: 'M16 5H3', key: 'm91uny' }],
    ['path', { d: 'M11 12H3', key: '51ecnj' }],
    ['path', { d: 'M16 19H3', key: 'zzsher' }],
    ['path', { d: 'M18 9v6', key: '1twb98' }],
    ['path', { d: 'M21 12h-6', key: 'bt1uis' }],
  ],
})
