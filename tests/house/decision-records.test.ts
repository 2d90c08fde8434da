/** Checks that the numbers of decision records have no gaps, and that the decisions that code and documents cite exist. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

const MAX_LINES = 40
const records = globSync('docs/decisions/*.md').sort()
const SECURITY_FILE = 'docs/security.md'
/** Number of items in the numbered list of decisions of the security document. */
const securityDecisionCount = [...readFileSync(SECURITY_FILE, 'utf8').matchAll(/^\d+\. \*\*/gm)].length

interface Citation {
  source: 'record' | 'security'
  number: number
}

const LINE_BREAK_IN_COMMENT = /\s*\n\s*(?:\*|\/\/)?\s*/g
const RECORD_PATH = /decisions\/(\d{4})-/g
const NUMBERS = String.raw`decisions? (\d+(?:(?:, | and )\d+)*)`
const SECURITY_CITATION = new RegExp(
  String.raw`security\.md\)?,? ${NUMBERS}|${NUMBERS} of \[security\]`,
  'gi',
)
const CITATION = new RegExp(String.raw`(\[?)\b${NUMBERS}`, 'gi')

/** Returns the decisions that a text cites. In the security document, "decision 5" without a link means its own decision 5. */
function findCitations(file: string, text: string): Citation[] {
  const textInOneLine = text.replace(LINE_BREAK_IN_COMMENT, ' ')
  const citations: Citation[] = []
  const addCitations = (source: Citation['source'], numbers = '') => {
    for (const number of numbers.split(/, | and /)) citations.push({ source, number: Number(number) })
  }
  for (const [, number] of textInOneLine.matchAll(RECORD_PATH)) addCitations('record', number)
  for (const [, before, after] of textInOneLine.matchAll(SECURITY_CITATION))
    addCitations('security', before ?? after)
  for (const [, bracket, numbers] of textInOneLine.replace(SECURITY_CITATION, '').matchAll(CITATION))
    addCitations(file === SECURITY_FILE && !bracket ? 'security' : 'record', numbers)
  return citations
}

const isExistingDecision = ({ source, number }: Citation) =>
  number >= 1 && number <= (source === 'record' ? records.length : securityDecisionCount)

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(md|ts|tsx|mjs|cjs|astro|css|yml|json)$/.test(file) && existsSync(file))
  .filter((file) => file !== 'tests/house/decision-records.test.ts')

describe('decision records', () => {
  test('are numbered without gaps', () => {
    expect(records.map((file) => Number(basename(file).slice(0, 4)))).toEqual(
      records.map((_, index) => index + 1),
    )
  })

  test.each(records)('%s has its number in the heading and at most forty lines', (file) => {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toMatch(new RegExp(`^# ${Number(basename(file).slice(0, 4))}\\. \\S`))
    expect(lines.length).toBeLessThanOrEqual(MAX_LINES)
  })
})

describe('citations of decisions', () => {
  test('refer to decisions that exist', () => {
    const citations = files.flatMap((file) =>
      findCitations(file, readFileSync(file, 'utf8')).map((citation) => ({ file, ...citation })),
    )
    expect(citations.length).toBeGreaterThan(100)
    expect(citations.filter((citation) => !isExistingDecision(citation))).toEqual([])
  })

  test('link to the record with the cited number', () => {
    const links = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\[decision (\d+)\]\([^)]*?(\d{4})-/g),
    ])
    expect(links.length).toBeGreaterThan(30)
    expect(links.filter(([, name, path]) => Number(name) !== Number(path)).map(([link]) => link)).toEqual([])
  })

  test.each([
    ['a.md', 'see [decision 16](../docs/decisions/0016-early.md)', ['record 16', 'record 16']],
    ['a.ts', '/** The limits (decision 40). */', ['record 40']],
    [
      'a.ts',
      '/** Sign-in (security.md, decisions 1, 2 and 9). */',
      ['security 1', 'security 2', 'security 9'],
    ],
    ['a.ts', ' * PINs (security.md,\n * decision 4).', ['security 4']],
    ['a.md', '([security](security.md), decisions 5 and 14)', ['security 5', 'security 14']],
    ['a.md', '(decision 5 of [security](../security.md))', ['security 5']],
    ['docs/security.md', 'the proof of decision 5 ([decision 34](x.md))', ['security 5', 'record 34']],
  ])('in %s, the check finds the decisions that "%s" cites', (file, text, expected) => {
    const foundCitations = findCitations(file, text).map(({ source, number }) => `${source} ${number}`)
    expect(foundCitations.sort()).toEqual([...expected].sort())
  })

  test('the check rejects the number of a decision that does not exist', () => {
    expect(isExistingDecision({ source: 'record', number: records.length + 1 })).toBe(false)
    expect(isExistingDecision({ source: 'security', number: securityDecisionCount + 1 })).toBe(false)
  })
})
