import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'user-round-x',
  node: [
    ['path', { d: 'm16.5 16.5 5 5', key: 'zc9lw7' }],
    ['path', { d: 'M2 21a8 8 0 0 1 11.531-7.18', key: 'x5izle' }],
    ['path', { d: 'm21.5 16.5-5 5', key: '1empo3' }],
    ['circle', { cx: '10', cy: '8', r: '5', key: 'o932ke' }],
  ],
})
