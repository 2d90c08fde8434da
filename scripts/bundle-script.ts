/**
 * Bundles a TypeScript module with its imports into one classic script. Used for the inline scripts of pages and for
 * the service worker.
 */
import { resolve } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { contractsAsData } from './contracts-as-data.ts'

export interface ScriptBundle {
  code: string
  /** Absolute paths of the bundled modules. */
  files: string[]
}

/** Returns code that is not minified. Throws when the module cannot be bundled into a single file. */
export async function bundleScript(entryFile: string): Promise<ScriptBundle> {
  const buildOutputs = (await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [contractsAsData()],
    build: {
      write: false,
      minify: false,
      lib: { entry: resolve(entryFile), formats: ['iife'], name: 'script', fileName: 'script' },
    },
  })) as Rolldown.RolldownOutput[]
  const [chunk, ...otherOutputs] = buildOutputs.flatMap(({ output }) => output)
  if (chunk?.type !== 'chunk' || otherOutputs.length > 0)
    throw new Error(`${entryFile} does not fit into one file`)
  return { code: chunk.code, files: Object.keys(chunk.modules) }
}

/**
 * Vite plugin: `import code from './boot.ts?inline-script'` gives the bundled script as text. The development server
 * reloads the page when a bundled module changes.
 */
export function inlineScripts(): Plugin {
  return {
    name: 'marquee:inline-scripts',
    enforce: 'pre',
    async load(id) {
      const [file = '', query] = id.split('?')
      if (query !== 'inline-script') return null
      const { code, files } = await bundleScript(file)
      for (const bundledFile of files) this.addWatchFile(bundledFile)
      return `export default ${JSON.stringify(code)}`
    },
  }
}
