/** The switches of the recommendation signals on the account page. The home page does not load this module. */
import { writeOptimistically } from './optimistic-writes.ts'
import { $recommendationSignals, setSignalDisabled } from './recommendation-settings.ts'

/** Turns a signal on or off. The switch shows the change immediately, and shows the stored state after a failure. */
export async function switchSignal(signal: string, isOn: boolean): Promise<void> {
  const saveSignalSwitch = async () => {
    if (!(await setSignalDisabled(signal, !isOn))) throw new Error('The signal was not changed.')
    return undefined
  }
  await writeOptimistically($recommendationSignals, {
    applyChange: ({ results }) => ({
      results: results.map((listedSignal) =>
        listedSignal.signal === signal ? { ...listedSignal, off: !isOn } : listedSignal,
      ),
    }),
    send: saveSignalSwitch,
  }).catch(() => {
    // `setSignalDisabled` has shown a message.
  })
}
