/**
 * Setup file of the Vitest project `browser`. Its test files share worker processes, because a new process takes two seconds.
 * Each file gets new instances of the modules of this repository, because stores keep their state in modules. Globals, timers
 * and channels end with the file that created them: otherwise, the stores of a file would act during the next file.
 */
import { afterAll, vi } from 'vitest'

vi.resetModules()

const globalsBefore = Object.getOwnPropertyDescriptors(globalThis)
const navigatorBefore = Object.getOwnPropertyDescriptors(navigator)

const timers = new Set<NodeJS.Timeout>()
const { setTimeout: startTimeout, setInterval: startInterval, BroadcastChannel: Channel } = globalThis
type StartTimer = (callback: () => void, ms?: number, ...values: []) => NodeJS.Timeout
/** Returns a function that starts a timer, which ends with the file. */
const endWithFile =
  (start: StartTimer): StartTimer =>
  (...values) => {
    const timer = start(...values)
    timers.add(timer)
    return timer
  }

const channels = new Set<BroadcastChannel>()
class ChannelOfFile extends Channel {
  constructor(name: string) {
    super(name)
    channels.add(this)
  }
}

Object.assign(globalThis, {
  setTimeout: Object.assign(endWithFile(startTimeout), startTimeout),
  setInterval: endWithFile(startInterval),
  BroadcastChannel: ChannelOfFile,
})

function restoreProperties(object: object, propertiesBefore: PropertyDescriptorMap): void {
  for (const name of Object.getOwnPropertyNames(object))
    if (!(name in propertiesBefore)) Reflect.deleteProperty(object, name)
  Object.defineProperties(object, propertiesBefore)
}

// Vitest runs the hooks of the setup file after the hooks of the test file.
afterAll(() => {
  for (const timer of timers) clearTimeout(timer)
  for (const channel of channels) channel.close()
  restoreProperties(globalThis, globalsBefore)
  restoreProperties(navigator, navigatorBefore)
})
