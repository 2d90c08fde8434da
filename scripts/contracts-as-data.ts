import { statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Endpoint } from '../src/lib/contract/endpoint.ts'

const CONTRACT_FOLDER = fileURLToPath(new URL('../src/lib/contract/', import.meta.url))

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const pickEndpointData = ({ access, method, path, base }: Endpoint) => ({ access, method, path, base })

/**
 * Vite plugin that replaces each contract module by the plain data of its endpoints (access, method, path, base) and
 * its arrays of strings. The browser does not need the schemas, because only the server validates
 * (docs/decisions/0004-contracts-are-data-in-the-browser.md).
 */
export function contractsAsData(): Plugin {
  return {
    name: 'marquee:contracts-as-data',
    enforce: 'pre',
    async load(id) {
      const [file = ''] = id.split('?')
      if (!file.startsWith(CONTRACT_FOLDER)) return null
      const contractModule: Record<string, unknown> = await import(
        `${pathToFileURL(file)}?at=${Math.trunc(statSync(file).mtimeMs)}`
      )
      return Object.entries(contractModule)
        .flatMap(([exportName, value]) => {
          if (isEndpoint(value))
            return [`export const ${exportName} = ${JSON.stringify(pickEndpointData(value))}`]
          return isStringArray(value) ? [`export const ${exportName} = ${JSON.stringify(value)}`] : []
        })
        .join('\n')
    },
  }
}
