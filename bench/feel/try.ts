import { spendEvening } from './evening.ts'
import { openHouse, slowTab } from './house.ts'

const house = await openHouse()
try {
  const page = await slowTab(house.context)
  const started = Date.now()
  const { steps, shifts } = await spendEvening(page, house.base).catch(async (e) => {
    await page.screenshot({ path: '/tmp/budget-fail.png' })
    console.log(e)
    return (globalThis as any).__evening
  })
  console.log('seconds', (Date.now() - started) / 1000, 'steps', steps.length)
  for (const s of steps)
    console.log(
      s.name.padEnd(28),
      s.interaction
        ? `${s.interaction.ms} = ${[s.interaction.delay, s.interaction.processing, s.interaction.presentation].map(Math.round)} ${s.interaction.event} ${s.interaction.target}`
        : '-',
    )
  for (const s of shifts) console.log(s.value.toFixed(4), s.path, Math.round(s.at), s.sources.slice(0, 3))
} finally {
  await house.close()
}
process.exit(0)
