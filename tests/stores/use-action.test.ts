/** A modal dialog stays open while actions that were started in it are running. */
import { expect, it } from 'vitest'
import { addToastOutlet } from '../../src/ui/toast-outlets.ts'
import { isDialogBusy, runInTopDialog } from '../../src/ui/use-action.ts'

/**
 * Opens a dialog by adding its toast outlet. Returns the dialog and a function that removes the outlet, as closing the
 * dialog does.
 */
function openDialog() {
  const dialog = {} as HTMLDialogElement
  const removeOutlet = addToastOutlet({ closest: () => dialog } as never)
  return { dialog, removeOutlet }
}

it('a dialog is busy until the last of its actions has ended, also when an action fails', async () => {
  const { dialog, removeOutlet } = openDialog()
  const { promise: savePromise, reject: failSave } = Promise.withResolvers<void>()
  const { promise: checkPromise, resolve: endCheck } = Promise.withResolvers<void>()
  expect(isDialogBusy(dialog)).toBe(false)
  const runningSavePromise = runInTopDialog(() => savePromise)
  const runningCheckPromise = runInTopDialog(() => checkPromise)
  failSave(new Error('failed'))
  await expect(runningSavePromise).rejects.toThrow('failed')
  expect(isDialogBusy(dialog)).toBe(true)
  endCheck()
  await runningCheckPromise
  expect(isDialogBusy(dialog)).toBe(false)
  removeOutlet()
})

it('a dialog that opens above a busy dialog is not busy, and the first dialog stays busy', async () => {
  const lowerDialog = openDialog()
  const { promise, resolve } = Promise.withResolvers<void>()
  const runningActionPromise = runInTopDialog(() => promise)
  const upperDialog = openDialog()
  expect(isDialogBusy(upperDialog.dialog)).toBe(false)
  expect(isDialogBusy(lowerDialog.dialog)).toBe(true)
  upperDialog.removeOutlet()
  resolve()
  await runningActionPromise
  expect(isDialogBusy(lowerDialog.dialog)).toBe(false)
  lowerDialog.removeOutlet()
})

it('an action runs when no dialog is open', async () => {
  let hasRun = false
  await runInTopDialog(async () => {
    hasRun = true
  })
  expect(hasRun).toBe(true)
})
