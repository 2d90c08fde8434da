import { openHouse } from './house.ts'
import { visitAll } from './visits.ts'
const house = await openHouse()
try {
  for (const v of await visitAll(house)) console.log(v.cls.toFixed(3), v.size, v.path, v.cls > 0.005 ? v.worst : '')
} finally { await house.close() }
process.exit(0)
