/**
 * Builds the file tree of the container image without a container engine. Reads deploy/Containerfile, follows the imports of the
 * server, and assembles the files that the final stage copies.
 */
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'

export interface ContainerImage {
  /** Paths of the repository that the final stage copies into the working directory. */
  copiedPaths: string[]
  env: Record<string, string>
  command: string[]
  /** Names of the shared libraries that the image adds to its base, such as `libatomic`. */
  libraries: string[]
}

export function readContainerfile(file = 'deploy/Containerfile'): ContainerImage {
  const text = readFileSync(file, 'utf8').replace(/ ?\\\n/g, ' ')
  const finalStageStart = text.lastIndexOf('\nFROM ') + 1
  const [buildStage, finalStage] = [text.slice(0, finalStageStart), text.slice(finalStageStart)]
  const libraries = finalStage.includes('\nCOPY --from=build /libraries/ /\n')
    ? buildStage.matchAll(/\/(lib\w+)\.so\.\d+ \/libraries$/gm)
    : []
  const copies = finalStage.matchAll(/^COPY --from=build --chown=0:0 \/build\/(\S+) \.\/(\S*)$/gm)
  const variables = /^ENV (.+)$/m.exec(finalStage)?.[1] ?? ''
  return {
    copiedPaths: [...copies].map(([, source = '']) => source),
    env: Object.fromEntries(variables.split(' ').map((variable) => variable.split('=') as [string, string])),
    command: JSON.parse(/^CMD (\[.+\])$/m.exec(finalStage)?.[1] ?? '[]'),
    libraries: [...libraries].map(([, name = '']) => name),
  }
}

/** Matches static and dynamic imports, re-exports and worker files. `import type` is excluded: it is removed before the run. */
const IMPORTS =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)|new URL\(\s*'(\.[^']+)',\s*import\.meta\.url/g

export interface ImportGraph {
  /** Files of the repository that run, relative to its root. */
  files: Set<string>
  /** Names of the imported npm packages. */
  packages: Set<string>
}

/** Returns all files and packages that the entry files load at run time. Throws when an imported file does not exist. */
export function followImports(entryFiles: string[]): ImportGraph {
  const graph: ImportGraph = { files: new Set(), packages: new Set() }
  const pendingFiles = entryFiles.map(normalize)
  for (let file = pendingFiles.pop(); file !== undefined; file = pendingFiles.pop()) {
    if (graph.files.has(file)) continue
    graph.files.add(file)
    if (!/\.(ts|mjs|js)$/.test(file)) continue
    for (const [, importedFile, dynamic, worker] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const specifier = importedFile ?? dynamic ?? worker ?? ''
      if (specifier.startsWith('.')) pendingFiles.push(relative('.', resolve(dirname(file), specifier)))
      else if (!specifier.startsWith('node:'))
        graph.packages.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  return graph
}

/** Copies the files of the image to `root` and removes every write permission. Packages are linked instead of copied. */
export function assembleContainerTree({ copiedPaths }: ContainerImage, root: string): void {
  for (const path of copiedPaths) {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    if (path === 'node_modules') symlinkSync(resolve(path), target)
    else if (path !== 'dist' || existsSync(path)) cpSync(path, target, { recursive: true })
  }
  const entries = globSync('**/*', { cwd: root, withFileTypes: true })
  for (const entry of entries)
    if (!entry.isSymbolicLink())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444)
  chmodSync(root, 0o555)
}

/** Makes the folders of the tree writable again, so that they can be deleted by a user other than root. */
export function unlockContainerTree(root: string): void {
  chmodSync(root, 0o755)
  for (const entry of globSync('**/*', { cwd: root, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
}
