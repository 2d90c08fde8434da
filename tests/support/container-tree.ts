/**
 * Builds the file tree of the container image without a container engine. Reads deploy/Containerfile, follows the
 * imports of the server, and assembles the files that the final stage copies.
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
  const containerfileText = readFileSync(file, 'utf8').replace(/ ?\\\n/g, ' ')
  const finalStageIndex = containerfileText.lastIndexOf('\nFROM ') + 1
  const [buildStage, finalStage] = [
    containerfileText.slice(0, finalStageIndex),
    containerfileText.slice(finalStageIndex),
  ]
  const libraries = finalStage.includes('\nCOPY --from=build /libraries/ /\n')
    ? buildStage.matchAll(/\/(lib\w+)\.so\.\d+ \/libraries$/gm)
    : []
  const copyMatches = finalStage.matchAll(/^COPY --from=build --chown=0:0 \/build\/(\S+) \.\/(\S*)$/gm)
  const envText = /^ENV (.+)$/m.exec(finalStage)?.[1] ?? ''
  return {
    copiedPaths: [...copyMatches].map(([, copiedPath = '']) => copiedPath),
    env: Object.fromEntries(envText.split(' ').map((variable) => variable.split('=') as [string, string])),
    command: JSON.parse(/^CMD (\[.+\])$/m.exec(finalStage)?.[1] ?? '[]'),
    libraries: [...libraries].map(([, library = '']) => library),
  }
}

/**
 * Matches static and dynamic imports, re-exports and worker files, but not `import type`, which loads nothing at run
 * time.
 */
const IMPORT_PATTERN =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)|new URL\(\s*'(\.[^']+)',\s*import\.meta\.url/g

export interface ImportGraph {
  /** Loaded files of the repository, relative to its root. */
  files: Set<string>
  /** Names of the imported npm packages. */
  packages: Set<string>
}

/**
 * Returns all files and packages that the entry files load at run time. Throws when an imported file does not exist.
 */
export function followImports(entryFiles: string[]): ImportGraph {
  const importGraph: ImportGraph = { files: new Set(), packages: new Set() }
  const pendingFiles = entryFiles.map(normalize)
  for (let file = pendingFiles.pop(); file !== undefined; file = pendingFiles.pop()) {
    if (importGraph.files.has(file)) continue
    importGraph.files.add(file)
    if (!/\.(ts|mjs|js)$/.test(file)) continue
    for (const [, importedFile, dynamicImport, workerPath] of readFileSync(file, 'utf8').matchAll(
      IMPORT_PATTERN,
    )) {
      const specifier = importedFile ?? dynamicImport ?? workerPath ?? ''
      if (specifier.startsWith('.')) pendingFiles.push(relative('.', resolve(dirname(file), specifier)))
      else if (!specifier.startsWith('node:'))
        importGraph.packages.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  return importGraph
}

/**
 * Copies the files of the image to `rootFolder` and removes every write permission. Packages are linked instead of
 * copied.
 */
export function assembleContainerTree({ copiedPaths }: ContainerImage, rootFolder: string): void {
  for (const path of copiedPaths) {
    const targetPath = join(rootFolder, path)
    mkdirSync(dirname(targetPath), { recursive: true })
    if (path === 'node_modules') symlinkSync(resolve(path), targetPath)
    else if (path !== 'dist' || existsSync(path)) cpSync(path, targetPath, { recursive: true })
  }
  const treeEntries = globSync('**/*', { cwd: rootFolder, withFileTypes: true })
  for (const entry of treeEntries)
    if (!entry.isSymbolicLink())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444)
  chmodSync(rootFolder, 0o555)
}

/** Makes the folders of the tree writable again, so that they can be deleted by a user other than root. */
export function makeContainerTreeWritable(rootFolder: string): void {
  chmodSync(rootFolder, 0o755)
  for (const entry of globSync('**/*', { cwd: rootFolder, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
}
