import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'square-arrow-up-right-exit',
  node: [
    ['path', { d: 'M21 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h6', key: 'y09zxi' }],
    ['path', { d: 'm21 3-9 9', key: 'mpx6sq' }],
    ['path', { d: 'M15 3h6v6', key: '1q9fwt' }],
  ],
})
