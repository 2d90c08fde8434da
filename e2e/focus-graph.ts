/** Checks where arrow keys lead on the open page or dialog. */
import { expect, type Page } from '@playwright/test'
import { bundleScript } from '../scripts/bundle-script.ts'
import type { FocusGraphReport } from './focus-graph-script.ts'

let scriptCodePromise: Promise<string> | undefined

async function callScriptFunction<T>(page: Page, functionCall: string): Promise<T> {
  scriptCodePromise ??= bundleScript('e2e/focus-graph-script.ts').then(({ code }) => code)
  return page.evaluate(`${await scriptCodePromise};script.${functionCall}`)
}

/**
 * Expects that every control is in view or can be scrolled into view, and can be reached from every other control. The
 * main controls must be at most eight presses away from the first focus. If Right moves the focus from control A to
 * control B, Left must move it from B back to A, unless `mayBeAsymmetrical` is true for A or B.
 */
export async function expectFocusGraph(page: Page, pageName: string): Promise<void> {
  let controlCount = 0
  const findProblems = async () => {
    const report = await callScriptFunction<FocusGraphReport>(page, 'checkFocusGraph()')
    controlCount = report.controlCount
    return report.problems
  }
  // Repeats the check, because rows that load late, or an animation, may still move controls.
  await expect.soft.poll(findProblems, { message: pageName }).toEqual([])
  expect.soft(controlCount, pageName).toBeGreaterThan(0)
}

/** Expects that real key presses move the focus as the graph predicts. */
export async function expectKeysToFollowGraph(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const predictedFocus = await callScriptFunction<string>(page, `predictFocus('${key}')`)
    await page.keyboard.press(key)
    expect(await callScriptFunction<string>(page, 'describeFocus()'), key).toBe(predictedFocus)
  }
}
