/**
 * Checks that the numbers of decision records have no gaps, and that the records are short. Also checks the citations
 * of decisions in code and documents: the cited decisions exist, links lead to the cited record, and code names the
 * document of a decision.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

const MAX_RECORD_LINES = 40
const records = globSync('docs/decisions/*.md').sort()
const SECURITY_FILE = 'docs/security.md'
/** Number of items in the numbered list of decisions of the security document. */
const securityDecisionCount = [...readFileSync(SECURITY_FILE, 'utf8').matchAll(/^\d+\. \*\*/gm)].length

interface Citation {
  source: 'record' | 'security'
  decisionNumber: number
}

const COMMENT_LINE_BREAK_PATTERN = /\s*\n\s*(?:\*|\/\/)?\s*/g
const RECORD_PATH_PATTERN = /decisions\/(\d{4})-/g
const DECISION_NUMBERS_PATTERN = String.raw`decision(?: record)?s? (\d+(?:(?:, | and )\d+)*)`
const SECURITY_CITATION_PATTERN = new RegExp(
  String.raw`security\.md\)?,? ${DECISION_NUMBERS_PATTERN}|${DECISION_NUMBERS_PATTERN} of \[security\]`,
  'gi',
)
const CITATION_PATTERN = new RegExp(String.raw`(\[?)\b${DECISION_NUMBERS_PATTERN}`, 'gi')
const UNNAMED_CITATION_PATTERN = /\bdecisions? \d+/gi

const joinCommentLines = (text: string) => text.replace(COMMENT_LINE_BREAK_PATTERN, ' ')

/**
 * Returns the decisions that a text cites. In the security document, "decision 5" without a link means decision 5 of
 * that document. In every other document, it means decision record 5.
 */
function findCitations(file: string, text: string): Citation[] {
  const textInOneLine = joinCommentLines(text)
  const citations: Citation[] = []
  const addCitations = (source: Citation['source'], numbers = '') => {
    for (const decisionNumber of numbers.split(/, | and /))
      citations.push({ source, decisionNumber: Number(decisionNumber) })
  }
  for (const [, recordNumber] of textInOneLine.matchAll(RECORD_PATH_PATTERN))
    addCitations('record', recordNumber)
  for (const [, numbersAfterFile, numbersBeforeLink] of textInOneLine.matchAll(SECURITY_CITATION_PATTERN))
    addCitations('security', numbersAfterFile ?? numbersBeforeLink)
  for (const [, bracket, numbers] of textInOneLine
    .replace(SECURITY_CITATION_PATTERN, '')
    .matchAll(CITATION_PATTERN))
    addCitations(file === SECURITY_FILE && !bracket ? 'security' : 'record', numbers)
  return citations
}

/** Returns the citations in code that name neither a decision record nor the security document. */
const findUnnamedCitations = (code: string): string[] =>
  joinCommentLines(code).replace(SECURITY_CITATION_PATTERN, '').match(UNNAMED_CITATION_PATTERN) ?? []

const isExistingDecision = ({ source, decisionNumber }: Citation) =>
  decisionNumber >= 1 && decisionNumber <= (source === 'record' ? records.length : securityDecisionCount)

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(md|ts|tsx|mjs|cjs|astro|css|yml|json)$/.test(file) && existsSync(file))
  .filter((file) => file !== 'tests/house/decision-records.test.ts')

describe('decision records', () => {
  test('decision records are numbered without gaps', () => {
    expect(records.map((file) => Number(basename(file).slice(0, 4)))).toEqual(
      records.map((_, index) => index + 1),
    )
  })

  test.each(records)('%s has its number in the heading and at most forty lines', (file) => {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toMatch(new RegExp(`^# ${Number(basename(file).slice(0, 4))}\\. \\S`))
    expect(lines.length).toBeLessThanOrEqual(MAX_RECORD_LINES)
  })
})

describe('citations of decisions', () => {
  test('citations of decisions refer to decisions that exist', () => {
    const citations = files.flatMap((file) =>
      findCitations(file, readFileSync(file, 'utf8')).map((citation) => ({ file, ...citation })),
    )
    expect(citations.length).toBeGreaterThan(100)
    expect(citations.filter((citation) => !isExistingDecision(citation))).toEqual([])
  })

  test('citations of decisions name the document of the decision if they are in a code file', () => {
    const unnamedCitations = files
      .filter((file) => !file.endsWith('.md'))
      .flatMap((file) => findUnnamedCitations(readFileSync(file, 'utf8')).map((citation) => [file, citation]))
    expect(unnamedCitations).toEqual([])
  })

  test.each([
    ['/** The limits (decision 40). */', ['decision 40']],
    ['/** The limits (decision record 40; security.md,\n * decisions 4 and 5). */', []],
  ])('in "%s", the check finds the citations that do not name their document', (code, expectedCitations) => {
    expect(findUnnamedCitations(code)).toEqual(expectedCitations)
  })

  test('citations of decisions link to the record with the cited number', () => {
    const links = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\[decision (\d+)\]\([^)]*?(\d{4})-/g),
    ])
    expect(links.length).toBeGreaterThan(30)
    expect(
      links
        .filter(([, citedNumber, recordNumber]) => Number(citedNumber) !== Number(recordNumber))
        .map(([link]) => link),
    ).toEqual([])
  })

  test.each([
    ['a.md', 'see [decision 16](../docs/decisions/0016-early.md)', ['record 16', 'record 16']],
    ['a.ts', '/** The limits (decision record 40). */', ['record 40']],
    ['docs/decisions/0022-a.md', 'early playback (decision 16)', ['record 16']],
    [
      'a.ts',
      '/** Sign-in (security.md, decisions 1, 2 and 9). */',
      ['security 1', 'security 2', 'security 9'],
    ],
    ['a.ts', ' * PINs (security.md,\n * decision 4).', ['security 4']],
    ['a.md', '([security](security.md), decisions 5 and 14)', ['security 5', 'security 14']],
    ['a.md', '(decision 5 of [security](../security.md))', ['security 5']],
    ['docs/security.md', 'the proof of decision 5 ([decision 34](x.md))', ['security 5', 'record 34']],
  ])('in %s, the check finds the decisions that "%s" cites', (file, text, expectedCitations) => {
    const foundCitations = findCitations(file, text).map(
      ({ source, decisionNumber }) => `${source} ${decisionNumber}`,
    )
    expect(foundCitations.sort()).toEqual([...expectedCitations].sort())
  })

  test('the check rejects the number of a decision that does not exist', () => {
    expect(isExistingDecision({ source: 'record', decisionNumber: records.length + 1 })).toBe(false)
    expect(isExistingDecision({ source: 'security', decisionNumber: securityDecisionCount + 1 })).toBe(false)
  })
})
