/** Decoding subtitles in legacy encodings whose language is not known. */
import { expect, it } from 'vitest'
import { decodeText } from '../../src/lib/rules/text-encoding.ts'
import { encodeText } from '../support/encode-text.ts'

const createSubRip = (lines: readonly string[]) =>
  lines
    .map((line, index) => `${index + 1}\r\n00:00:0${index},000 --> 00:00:0${index},900\r\n<i>${line}</i>\r\n`)
    .join('\r\n')

it.each([
  ['big5', ['你在這裡做什麼？', '我不知道，我們走吧。', '他說明天會來找我們。']],
  ['gb18030', ['你在这里做什么？', '我不知道，我们走吧。', '他说明天会来找我们。']],
  ['shift_jis', ['ここで何をしているの？', 'わからない、行こう。', '彼は明日来ると言った。']],
  ['euc-jp', ['ここで何をしているの？', 'わからない、行こう。', '彼は明日来ると言った。']],
  ['euc-kr', ['여기서 뭐 하는 거야?', '모르겠어, 가자.', '그는 내일 온다고 했어.']],
  ['windows-1250', ['Co tady děláš?', 'Nevím, už půjdeme.', 'Řekl, že přijde zítra.']],
  ['windows-1251', ['Что ты здесь делаешь?', 'Не знаю, пойдём.', 'Он сказал, что придёт завтра.']],
  ['koi8-u', ['Что ты здесь делаешь?', 'Не знаю, пойдём.', 'Он сказал, что придёт завтра.']],
  ['windows-1252', ['Que fais-tu ici ?', 'Je ne sais pas, allons-y.', 'Il a dit qu’il viendrait à l’été.']],
  ['windows-1253', ['Τι κάνεις εδώ;', 'Δεν ξέρω, πάμε.', 'Είπε ότι θα έρθει αύριο.']],
  ['windows-1254', ['Burada ne yapıyorsun?', 'Bilmiyorum, gidelim.', 'Yarın geleceğini söyledi.']],
  ['windows-1255', ['מה אתה עושה כאן?', 'אני לא יודע, בוא נלך.', 'הוא אמר שיבוא מחר.']],
  ['windows-1256', ['ماذا تفعل هنا؟', 'لا أعرف، هيا بنا.', 'قال إنه سيأتي غدا.']],
  ['windows-874', ['คุณทำอะไรที่นี่', 'ฉันไม่รู้ ไปกันเถอะ', 'เขาบอกว่าจะมาพรุ่งนี้']],
])('the encoding %s of subtitles is detected, and the subtitles are decoded', (encoding, lines) => {
  const subtitleText = createSubRip(lines)
  expect(decodeText(encodeText(subtitleText, encoding))).toBe(subtitleText)
})

it('the encoding of a large text is guessed from its start', () => {
  const subtitleText = createSubRip(['Что ты здесь делаешь?', 'Не знаю, пойдём.'])
  const textBytes = encodeText(subtitleText.repeat(1_000), 'windows-1251')
  const greekBytes = encodeText('Δεν ξέρω, πάμε. '.repeat(20_000), 'windows-1253')
  expect(decodeText(Buffer.concat([textBytes, greekBytes])).startsWith(subtitleText)).toBe(true)
})
