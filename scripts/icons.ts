/**
 * `npm run icons`: copies the icons that the site imports from lucide-react to src/icons/, one module for each icon,
 * and deletes the modules of icons that the site does not import. lucide-react itself is installed for development
 * only, because it has almost 5000 files (docs/decisions/0059-copied-icons.md).
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IconData } from '../src/icons/create-icon.ts'

const ICON_FOLDER = 'src/icons'
const INDEX_FILE = `${ICON_FOLDER}/index.ts`
/** Matches an import of icons. The first group contains the names, separated by commas. */
const ICON_IMPORT_PATTERN = /import \{([^}]*)\} from '[./]+\/icons\/index\.ts'/g
/** The list of all icons in lucide-react: `export { default as Trash, default as Trash2 } from './icons/trash.mjs';` */
const LUCIDE_INDEX_FILE = 'node_modules/lucide-react/dist/esm/lucide-react.mjs'
const LUCIDE_EXPORT_PATTERN = /export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g

/** Returns the names of the icons that the modules of the site import, sorted. */
export function listImportedIcons(): string[] {
  const iconNames = globSync('src/**/*.{ts,tsx,astro}').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ICON_IMPORT_PATTERN)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.replace(/ as .*/, '').trim()),
    ),
  )
  return [...new Set(iconNames)].filter((name) => name !== '').sort()
}

/** Returns the modules of lucide-react by the names of their icons. An icon has several names. */
function readLucideModules(): Map<string, string> {
  const exports = readFileSync(LUCIDE_INDEX_FILE, 'utf8').matchAll(LUCIDE_EXPORT_PATTERN)
  return new Map(
    [...exports].flatMap(([, names = '', moduleName = '']) =>
      names.split(',').map((name) => [name.replace('default as', '').trim(), moduleName] as const),
    ),
  )
}

/** Writes the modules and the index. Throws when lucide-react has no icon of an imported name. */
async function copyIcons(iconNames: readonly string[]): Promise<void> {
  const lucideModules = readLucideModules()
  const iconNamesByModule = new Map<string, string[]>()
  for (const iconName of iconNames) {
    const moduleName = lucideModules.get(iconName)
    if (moduleName === undefined) throw new Error(`lucide-react has no icon ${iconName}`)
    iconNamesByModule.set(moduleName, [...(iconNamesByModule.get(moduleName) ?? []), iconName])
  }
  for (const file of globSync(`${ICON_FOLDER}/*.ts`)) if (!file.endsWith('/create-icon.ts')) rmSync(file)
  const exportLines: string[] = []
  for (const [moduleName, names] of iconNamesByModule) {
    const { __iconData: iconData } = (await import(`lucide-react/icons/${moduleName}`)) as {
      __iconData: IconData
    }
    const iconDataJson = JSON.stringify({ name: iconData.name, node: iconData.node })
    writeFileSync(
      `${ICON_FOLDER}/${moduleName}.ts`,
      `import createIcon from './create-icon.ts'\n\nexport default /* @__PURE__ */ createIcon(${iconDataJson})\n`,
    )
    const exportedNames = names.map((name) => `default as ${name}`).join(', ')
    exportLines.push(`export { ${exportedNames} } from './${moduleName}.ts'`)
  }
  const comment = '/** The icons of lucide that the site uses. `npm run icons` writes this folder. */'
  writeFileSync(INDEX_FILE, `${[comment, ...exportLines.sort()].join('\n')}\n`)
}

if (import.meta.main) {
  await copyIcons(listImportedIcons())
  const { status } = spawnSync('biome', ['check', '--write', ICON_FOLDER], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
