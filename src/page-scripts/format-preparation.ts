/**
 * Uses the formats of `Intl` once while the browser is idle. Otherwise, the first frame of the next page would wait for
 * the first use of the formats, which takes up to 200 ms on a slow device.
 */
import { getLanguageName } from '../lib/i18n/format.ts'
import { formatClockTime } from '../lib/i18n/format-clock-time.ts'
import { formatNumber, getCurrentLocale } from '../lib/i18n/t.ts'
import { runWhenIdle } from './run-when-idle.ts'

const FIRST_NUMBER_WITH_SEPARATOR = 1_000

runWhenIdle(() => formatNumber(FIRST_NUMBER_WITH_SEPARATOR))
runWhenIdle(() => formatClockTime(0))
runWhenIdle(() => getLanguageName(getCurrentLocale(), getCurrentLocale()))
