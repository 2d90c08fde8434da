/** The formatter wraps code but not comments. This check limits the length of comment lines. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const MAX_LINE_LENGTH = 120

/** Start of a comment line by file type. A line that starts with `*` continues a block comment. */
const COMMENT_STARTS: [filePattern: RegExp, commentStart: RegExp][] = [
  [/\.(?:ts|tsx|js|mjs|cjs|css|astro)$/, /^\s*(?:\/\/|\/\*|\*|\{\/\*|<!--)/],
  [/\.(?:sh|yaml|yml|toml|conf)$|(?:^|\/)(?:Caddyfile|Containerfile)$/, /^\s*#/],
]

/** Existing files of the repository: tracked files, and new files that Git does not ignore. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(file))

/** Returns the comment lines that are longer than MAX_LINE_LENGTH, as `file:line`. */
function findLongCommentLines(file: string, text: string): string[] {
  const [, commentStart] = COMMENT_STARTS.find(([filePattern]) => filePattern.test(file)) ?? []
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > MAX_LINE_LENGTH && commentStart?.test(line) ? [`${file}:${index + 1}`] : [],
    )
}

test('no comment line is longer than 120 characters', () => {
  const commentedFiles = files.filter((file) =>
    COMMENT_STARTS.some(([filePattern]) => filePattern.test(file)),
  )
  expect(commentedFiles.length).toBeGreaterThan(1_000)
  expect(commentedFiles.flatMap((file) => findLongCommentLines(file, readFileSync(file, 'utf8')))).toEqual([])
})

const LONG_TEXT = 'word '.repeat(24)

test.each([
  ['example.ts', '// '],
  ['example.ts', '  /** '],
  ['example.css', ' * '],
  ['example.astro', '{/* '],
  ['deploy/Caddyfile', '    # '],
])('the check reports a long line of %s that starts with "%s"', (file, lineStart) => {
  expect(findLongCommentLines(file, `\n${lineStart}${LONG_TEXT}\n`)).toEqual([`${file}:2`])
})

test.each([
  ['example.ts', "const text = '"],
  ['README.md', '# '],
])(
  'the check accepts a long line of %s that starts with "%s", because the line is no comment',
  (file, lineStart) => {
    expect(findLongCommentLines(file, lineStart + LONG_TEXT)).toEqual([])
  },
)

test('the check accepts a comment line of exactly 120 characters', () => {
  const line = `// ${LONG_TEXT}`.slice(0, MAX_LINE_LENGTH)
  expect(findLongCommentLines('example.ts', line)).toEqual([])
  expect(findLongCommentLines('example.ts', `${line}.`)).toEqual(['example.ts:1'])
})
