/** Elements of large JSON files, cut at every byte. */
import { expect, test } from 'vitest'
import { JsonError, readJsonElements } from '../../../../server/importers/history/json.ts'
import { opener } from './shared-data.ts'

const read = async (text: string, size: number) => {
  const elements = []
  for await (const one of readJsonElements(opener(new TextEncoder().encode(text), size)())) elements.push(one)
  return elements
}

const value = { a: [1, { b: '],}{"\\' }], c: null, 'd"': 'é😀' }

test('an array: each element with its line', async () => {
  const text = `[\n  ${JSON.stringify(value)},\n\n  2,\n"x"\n]`
  for (let size = 1; size < text.length; size++) {
    const elements = await read(text, size)
    expect(elements.map((one) => one.value)).toEqual([value, 2, 'x'])
    expect(elements.map((one) => one.line)).toEqual([2, 4, 5])
  }
})

test('an object: the elements of its arrays, and what its keys hold themselves', async () => {
  const text = JSON.stringify({ n: 1, list: [value, value], none: [], deep: { x: [1] }, s: 'a,b' }, null, 2)
  for (let size = 1; size < text.length; size++) {
    const elements = await read(text, size)
    expect(elements.map((one) => [one.key, one.isArrayElement])).toEqual([
      ['n', false],
      ['list', true],
      ['list', true],
      ['deep', false],
      ['s', false],
    ])
    expect(elements[1]?.value).toEqual(value)
    expect(elements[3]?.value).toEqual({ x: [1] })
  }
})

test('empty ones', async () => {
  expect(await read('[]', 1)).toEqual([])
  expect(await read(' { } ', 1)).toEqual([])
})

test('what is not JSON, or breaks off, says where', async () => {
  for (const [text, line] of [
    ['[1,\n2,\nx]', 3],
    ['[1,\n2', 2],
    ['', 1],
    ['hello', 1],
  ] as const) {
    await expect(read(text, 2)).rejects.toMatchObject({ line })
    await expect(read(text, 2)).rejects.toThrow(JsonError)
  }
})
