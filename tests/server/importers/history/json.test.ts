/** The streaming JSON parser, with input in chunks of every size. */
import { expect, test } from 'vitest'
import { JsonError, readJsonElements } from '../../../../server/importers/history/json.ts'
import { createChunkReader } from './shared-data.ts'

const readElements = async (jsonText: string, chunkBytes: number) => {
  const elements = []
  for await (const element of readJsonElements(
    createChunkReader(new TextEncoder().encode(jsonText), chunkBytes)(),
  ))
    elements.push(element)
  return elements
}

const sampleValue = { a: [1, { b: '],}{"\\' }], c: null, 'd"': 'é😀' }

test('the JSON reader yields each element of a JSON array with the line number of the element', async () => {
  for (const lineEnd of ['\n', '\r\n', '\r']) {
    const multilineValueText = `{${lineEnd}"a": 1${lineEnd}}`
    const elementTexts = [JSON.stringify(sampleValue), `${lineEnd}  2`, multilineValueText, '"x"']
    const jsonText = `[${lineEnd}  ${elementTexts.join(`,${lineEnd}`)}${lineEnd}]`
    for (let chunkBytes = 1; chunkBytes < jsonText.length; chunkBytes++) {
      const elements = await readElements(jsonText, chunkBytes)
      expect(elements.map((element) => element.value)).toEqual([sampleValue, 2, { a: 1 }, 'x'])
      expect(elements.map((element) => element.line)).toEqual([2, 4, 5, 8])
    }
  }
})

test('the JSON reader yields the array elements and the other values of a JSON object with their keys', async () => {
  const jsonText = JSON.stringify(
    { n: 1, list: [sampleValue, sampleValue], none: [], deep: { x: [1] }, s: 'a,b' },
    null,
    2,
  )
  for (let chunkBytes = 1; chunkBytes < jsonText.length; chunkBytes++) {
    const elements = await readElements(jsonText, chunkBytes)
    expect(elements.map((element) => [element.key, element.isArrayElement])).toEqual([
      ['n', false],
      ['list', true],
      ['list', true],
      ['deep', false],
      ['s', false],
    ])
    expect(elements[1]?.value).toEqual(sampleValue)
    expect(elements[3]?.value).toEqual({ x: [1] })
  }
})

test('the JSON reader yields nothing for an empty JSON array or object', async () => {
  expect(await readElements('[]', 1)).toEqual([])
  expect(await readElements(' { } ', 1)).toEqual([])
})

test('the JSON reader throws JsonError with the line of invalid or truncated JSON', async () => {
  for (const [text, line] of [
    ['[1,\n2,\nx]', 3],
    ['[1,\n2', 2],
    ['[1,\r2,\r\nx]', 3],
    ['', 1],
    ['hello', 1],
  ] as const) {
    await expect(readElements(text, 2)).rejects.toMatchObject({ line })
    await expect(readElements(text, 2)).rejects.toThrow(JsonError)
  }
})
