import { compileFunction } from 'node:vm'
import { bundleScript } from '../../scripts/bundle-script.ts'

/**
 * Bundles an inline script, and returns a function that runs the script with the properties of `page` as its globals.
 * The first call fixes the names of the globals. Later calls must pass the same properties in the same order.
 */
export async function loadInlineScript(scriptFile: string): Promise<(page: object) => void> {
  const { code } = await bundleScript(scriptFile)
  let runScript: ((...globals: unknown[]) => void) | undefined
  return (page) => {
    Object.assign(page, { window: page, globalThis: page })
    runScript ??= compileFunction(code, Object.keys(page)) as (...globals: unknown[]) => void
    runScript(...Object.values(page))
  }
}
