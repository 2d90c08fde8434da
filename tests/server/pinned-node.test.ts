/** The installation explains why the pinned Node version does not run on a machine. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findNodeProblem } from '../../scripts/install.mjs'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-node-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function createProgram(script: string): string {
  const path = join(folder, 'node')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

it('findNodeProblem returns null when the Node.js program runs', () =>
  expect(findNodeProblem(process.execPath)).toBeNull())

it('findNodeProblem names the package to install when a shared library is missing', () => {
  const path = createProgram(
    'echo "error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127',
  )
  expect(findNodeProblem(path)).toMatch(/libatomic\.so\.1.*\n.*apt install libatomic1/)
})

it('findNodeProblem names the supported systems when the program cannot be started, as on Alpine', () => {
  expect(findNodeProblem(join(folder, 'missing'))).toMatch(/ENOENT\n.*glibc 2\.28.*container/)
})
