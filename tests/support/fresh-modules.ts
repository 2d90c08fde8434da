/**
 * Setup file of the Vitest project `browser`. Its test files share worker processes, because a new process takes two
 * seconds. Each file gets new instances of the modules of this repository, because stores keep their state in modules.
 * The globals, timers and channels of a file are removed at its end. Otherwise, the stores of a file would act during
 * the next file.
 */
import { afterAll, vi } from 'vitest'

vi.resetModules()

const globalsBefore = Object.getOwnPropertyDescriptors(globalThis)
const navigatorBefore = Object.getOwnPropertyDescriptors(navigator)

const startedTimers = new Set<NodeJS.Timeout>()
const { setTimeout: startTimeout, setInterval: startInterval, BroadcastChannel: Channel } = globalThis
type StartTimer = (callback: () => void, delayMs?: number, ...callbackArguments: []) => NodeJS.Timeout
/** Wraps a function that starts timers, so that the timers can be stopped after the last test of the file. */
const trackTimers =
  (startTimer: StartTimer): StartTimer =>
  (...timerArguments) => {
    const timer = startTimer(...timerArguments)
    startedTimers.add(timer)
    return timer
  }

const openedChannels = new Set<BroadcastChannel>()
class TrackedChannel extends Channel {
  constructor(name: string) {
    super(name)
    openedChannels.add(this)
  }
}

Object.assign(globalThis, {
  setTimeout: Object.assign(trackTimers(startTimeout), startTimeout),
  setInterval: trackTimers(startInterval),
  BroadcastChannel: TrackedChannel,
})

function restoreProperties(target: object, propertiesBefore: PropertyDescriptorMap): void {
  for (const propertyName of Object.getOwnPropertyNames(target))
    if (!(propertyName in propertiesBefore)) Reflect.deleteProperty(target, propertyName)
  Object.defineProperties(target, propertiesBefore)
}

// Vitest runs the hooks of the setup file after the hooks of the test file.
afterAll(() => {
  // Vitest keeps the original values of stubbed globals. Without this call, a later file that calls
  // `vi.unstubAllGlobals` would restore the values of this file.
  vi.unstubAllGlobals()
  for (const timer of startedTimers) clearTimeout(timer)
  for (const channel of openedChannels) channel.close()
  restoreProperties(globalThis, globalsBefore)
  restoreProperties(navigator, navigatorBefore)
})
