/** File names in the headers of a multipart form. */
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readFilePart } from '../../../server/services/history-import/multipart.ts'

const readPartWithDisposition = (disposition: string) =>
  readFilePart(
    new Headers({ 'Content-Type': 'multipart/form-data; boundary=b' }),
    new Blob([
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nTitle,Date\r\n--b--\r\n`,
    ]).stream(),
  )

it.each([
  ['name="file"; filename="history.csv"', 'history.csv'],
  ['name=file; filename=history.csv', 'history.csv'],
  ['name=file; Filename=history.csv ; size=9', 'history.csv'],
  ['filename="my \\"best\\" %22history%22; 2020.csv"', 'my "best" "history"; 2020.csv'],
  ["filename=history.csv; filename*=UTF-8''%C3%A9t%C3%A9.csv", 'été.csv'],
  ['filename=""', ''],
])(
  'a form part with the Content-Disposition parameters %s is read as a file',
  async (disposition, fileName) => {
    const { name, body } = await readPartWithDisposition(disposition)
    expect([name, await text(body)]).toEqual([fileName, 'Title,Date'])
  },
)

it.each(['name="file"', 'name="file; filename=history.csv"', 'name=filename'])(
  'a form is rejected if its only part has the Content-Disposition parameters %s, because that part contains no file',
  (disposition) =>
    expect(readPartWithDisposition(disposition)).rejects.toMatchObject({
      type: 'validation_error',
      errors: { file: ['needed'] },
    }),
)
