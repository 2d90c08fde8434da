import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'arrow-up',
  node: [
    ['path', { d: 'm5 12 7-7 7 7', key: 'hav0vg' }],
    ['path', { d: 'M12 19V5', key: 'x0mq9r' }],
  ],
})
