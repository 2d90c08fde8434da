import createIcon from './create-icon.ts'

export default /* @__PURE__ */ createIcon({
  name: 'calendar-check',
  node: [
    ['path', { d: 'M8 2v3', key: '1ioesn' }],
    ['path', { d: 'M16 2v3', key: 'otl347' }],
    ['rect', { x: '3', y: '3', width: '18', height: '18', rx: '2', key: 'h1oib' }],
    ['path', { d: 'M3 9h18', key: '1pudct' }],
    ['path', { d: 'm9 15 2 2 4-4', key: '1grp1n' }],
  ],
})
