/** Files in formats without a parser of their own: spreadsheets made by users, and exports of other programs. */
import { describe, expect, it } from 'vitest'
import { detectHistoryFormat } from '../../../../server/importers/history/parse-history-file.ts'
import { formatJson } from './cases/case.ts'
import { parseHistoryContent } from './shared-data.ts'

const parseText = (fileName: string, text: string) => parseHistoryContent(fileName, Buffer.from(text), 4_096)
const detectFormat = (fileName: string, text: string) =>
  detectHistoryFormat(fileName, Buffer.from(text))?.id ?? null

describe('a spreadsheet of a household', () => {
  it.each([
    [
      'English',
      'Movie,Year,Watched on,My rating,Notes\nHeat,1995,2021-01-02,4.5,Good.\nTank,1984,2021-01-03,3,\n',
    ],
    [
      'French',
      'Film;Année;Vu le;Note;Commentaires\nHeat;1995;02/01/2021;4,5;Good.\nTank;1984;13/01/2021;3;\n',
    ],
    [
      'German',
      'Film;Jahr;Gesehen am;Bewertung (1-5);Notizen\nHeat;1995;02.01.2021;4,5;Good.\nTank;1984;13.01.2021;3;\n',
    ],
    [
      'Spanish',
      'Película;Año;Visto el;Puntuación/5;Comentarios\nHeat;1995;02/01/2021;4,5;Good.\nTank;1984;13/01/2021;3;\n',
    ],
    [
      'Portuguese',
      'Filme;Ano;Assistido em;Nota;Comentários\nHeat;1995;02/01/2021;4,5;Good.\nTank;1984;13/01/2021;3;\n',
    ],
    [
      'Italian',
      'Film;Anno;Visto il;Voto;Commenti\nHeat;1995;02/01/2021;4,5;Good.\nTank;1984;13/01/2021;3;\n',
    ],
    [
      'Dutch',
      'Film;Jaar;Gezien op;Sterren;Opmerkingen\nHeat;1995;02-01-2021;4,5;Good.\nTank;1984;13-01-2021;3;\n',
    ],
    [
      'Arabic',
      'الفيلم;السنة;تاريخ المشاهدة;التقييم;ملاحظات\nHeat;1995;02/01/2021;4,5;Good.\nTank;1984;13/01/2021;3;\n',
    ],
    [
      'Polish',
      'Film;Rok;Data obejrzenia;Moja ocena (1-5);Uwagi\nHeat;1995;2 stycznia 2021;4,5;Good.\nTank;1984;13 stycznia 2021;3;\n',
    ],
    [
      'Turkish',
      'Film Adı;Yapım Yılı;İzlenme Tarihi;Puanım;Notlar\nHeat;1995;2 Ocak 2021;4,5;Good.\nTank;1984;13 Ocak 2021;3;\n',
    ],
    [
      'Russian',
      'Фильм;Год;Дата просмотра;Моя оценка;Комментарий\nHeat;1995;2 января 2021;4,5;Good.\nTank;1984;13 января 2021;3;\n',
    ],
    [
      'Chinese',
      '电影;年份;观看日期;我的评分;短评\nHeat;1995;2021年1月2日;4.5;Good.\nTank;1984;2021年1月13日;3;\n',
    ],
  ])('the columns of a spreadsheet in %s are recognised by their names', async (_language, text) => {
    const { rows, skips } = await parseText('Mappe1.csv', text)
    expect(rows[0]).toMatchObject({
      source: 'other',
      kind: 'watched',
      type: 'movie',
      title: 'Heat',
      year: 1995,
      at: '2021-01-02',
      rating: 9,
      note: 'Good.',
    })
    expect(rows).toHaveLength(2)
    expect(skips).toEqual([])
  })

  it('the column names of a spreadsheet are recognised below a heading, in upper and lower case, and with hyphens or underscores', async () => {
    for (const header of ['TITLE,Watched_At,watch-status', ' title ,WATCHED AT,Status'])
      expect(
        (await parseText('x.csv', `My films 2021,,\n${header}\nHeat,2021-01-02,Seen\n`)).rows,
      ).toMatchObject([{ kind: 'watched', title: 'Heat', at: '2021-01-02', line: 3 }])
  })

  it('the scale of ratings is inferred from the column name, from the text of the cell, or from all values of the column', async () => {
    const readRatings = async (header: string, ...cells: string[]) =>
      (
        await parseText('ratings.csv', `Title,${header}\n${cells.map((cell) => `Heat,"${cell}"\n`).join('')}`)
      ).rows.map(({ rating }) => rating)
    expect(await readRatings('Rating', '4', '3,5')).toEqual([8, 7])
    expect(await readRatings('Rating', '4', '8')).toEqual([4, 8])
    expect(await readRatings('Rating', '40', '15')).toEqual([4, 1.5])
    expect(await readRatings('Rating out of 10', '4')).toEqual([4])
    expect(await readRatings('Score %', '4', '80')).toEqual([0.4, 8])
    expect(await readRatings('Rating', '4/5', '85 %', '★★★½')).toEqual([8, 8.5, 7])
    expect(await readRatings('Stars', '4')).toEqual([8])
  })

  it('a rating outside the scale of its column is reported, and an age rating or 0 in this column is ignored', async () => {
    const { rows, skips } = await parseText(
      'a.csv',
      'Title,Watched,Rating (1-5)\nHeat,yes,7\nTank,yes,PG-13\nAlien,yes,0\n',
    )
    expect(rows.map(({ title, rating }) => [title, rating])).toEqual([
      ['Tank', undefined],
      ['Alien', undefined],
    ])
    expect(skips).toEqual([{ line: 2, skip: 'bad_row' }])
  })

  it('texts in a column "Note" are read as notes, and numbers as ratings', async () => {
    const [noteRow] = (await parseText('a.csv', 'Title,Watched on,Note\nHeat,2021-01-02,Good.\n')).rows
    expect(noteRow).toMatchObject({ note: 'Good.' })
    expect(noteRow).not.toHaveProperty('rating')
    expect(
      (await parseText('a.csv', 'Titre,Vu le,Note\nHeat,2021-01-02,17\nTank,2021-01-02,8\n')).rows,
    ).toMatchObject([{ rating: 8.5 }, { rating: 4 }])
  })
})

describe('the meaning of a row', () => {
  it('the kind of a row, such as watched or listed, is derived from the state, flags and dates of the row and from the name of the file', async () => {
    const readKinds = async (fileName: string, text: string) => {
      const { rows, skips } = await parseText(fileName, text)
      return [...rows.map(({ kind }) => kind), ...skips.map(({ skip }) => skip)]
    }
    const csvText = 'Title,Year\nHeat,1995\n'
    expect(detectFormat('films.csv', csvText)).toBeNull()
    expect(await readKinds('watched.csv', csvText)).toEqual(['watched'])
    expect(await readKinds('My wishlist.csv', csvText)).toEqual(['listed'])
    expect(await readKinds('Favourites.csv', csvText)).toEqual(['liked'])
    expect(await readKinds('dropped.csv', csvText)).toEqual(['dropped'])
    expect(await readKinds('a.csv', 'Title,Year,Rating\nHeat,1995,8\nTank,1984,\n')).toEqual([
      'rated',
      'not_watched',
    ])
    expect(await readKinds('a.csv', 'Title,Year,Watched\nHeat,1995,no\nTank,1984,x\nAlien,1979,\n')).toEqual([
      'watched',
      'not_watched',
      'not_watched',
    ])
    expect(await readKinds('a.csv', 'Title,Year,Date\nHeat,1995,2021-01-02\nTank,1984,\n')).toEqual([
      'watched',
      'not_watched',
    ])
    expect(await readKinds('ratings.csv', 'Title,Year,Date,Rating\nHeat,1995,2021-01-02,8\n')).toEqual([
      'rated',
    ])
    expect(await readKinds('watchlist.csv', 'Title,Year,Date\nHeat,1995,2021-01-02\n')).toEqual(['listed'])
    expect(
      await readKinds(
        'a.csv',
        'Series,Status\nDark,Completed\nElite,On hold\nGone,Dropped\nLost,Returning Series\n',
      ),
    ).toEqual(['listed', 'listed', 'dropped', 'not_watched'])
  })

  it('of several columns with ratings, the column whose name contains the scale is used', async () => {
    const text = 'Title,Rating,Rating10\nHeat,4,8\nTank,2.5,5\n'
    expect((await parseText('x.csv', text)).rows).toMatchObject([{ rating: 8 }, { rating: 5 }])
  })

  it('of the columns "Rating" and "My Rating" of one table, only "My Rating" is read as the rating of the user', async () => {
    const text = 'Title,Rating,Votes,My Rating\nHeat,8.3,700,4\nTank,6.1,300,\n'
    expect((await parseText('ratings.csv', text)).rows).toMatchObject([{ title: 'Heat', rating: 8 }])
  })

  it('the rating of an episode becomes a row of its own, not a rating of the series', async () => {
    const { rows } = await parseText(
      'a.csv',
      'Show,Season,Episode,Watched at,Rating\nDark,1,2,2021-01-02,8\n',
    )
    expect(rows).toMatchObject([
      { kind: 'watched', season: 1, episode: 2 },
      { kind: 'rated', season: 1, episode: 2 },
    ])
    expect(rows[0]).not.toHaveProperty('rating')
  })

  it('the name of a series is separated from a season or an episode code in the same cell', async () => {
    const { rows } = await parseText(
      'Mappe1.csv',
      'Titel;Datum\nDark: Staffel 2: Geheimnisse;2.1.2021\nDark S01E02;13.1.2021\nKill Bill: Vol. 2;14.1.2021\n10x10;15.1.2021\n',
    )
    expect(rows).toMatchObject([
      { type: 'tv', title: 'Dark', season: 2, episodeTitle: 'Geheimnisse', at: '2021-01-02' },
      { type: 'tv', title: 'Dark', season: 1, episode: 2 },
      { title: 'Kill Bill: Vol. 2' },
      { title: '10x10' },
    ])
  })

  it('a table whose columns are separated by vertical bars is read', async () => {
    const text = 'Title|Year|Watched on\nHeat|1995|2021-03-04\n'
    expect((await parseText('x.txt', text)).rows).toMatchObject([
      { title: 'Heat', year: 1995, at: '2021-03-04' },
    ])
  })

  it('a column is recognised even if its name is followed by a unit or format in brackets', async () => {
    const text = 'Title,Last Played (UTC),Runtime (mins),Watched (Y/N)\nHeat,2021-03-04 20:15:00,170,Y\n'
    expect((await parseText('x.csv', text)).rows).toMatchObject([
      { kind: 'watched', title: 'Heat', at: '2021-03-04T20:15:00Z', runtime: 170 },
    ])
  })

  it('a file is not recognised if the names of the columns indicate neither titles nor the meaning of the rows', () => {
    for (const text of [
      'Name,Rating\nBistro,5\n',
      'Name,Date\nx,2021-01-02\n',
      'Title,Author\nx,y\n',
      'Book Id,Title,Author,My Rating,Date Read\n1,Dune,Ann,5,2020/01/01\n',
      'Title,Authors,ISBN/UID,Read Status,Star Rating,Last Date Read\nDune,Ann,1,read,4.5,2020/01/01\n',
      'Date,Amount\n2021-01-02,5\n',
    ])
      expect(detectFormat('a.csv', text)).toBeNull()
    expect(detectFormat('a.json', formatJson([{ name: 'x', rating: 5 }]))).toBeNull()
    expect(detectFormat('a.json', formatJson({ user: { name: 'x' }, settings: [1] }))).toBeNull()
    expect(detectFormat('a.xml', '<rss><channel/></rss>')).toBeNull()
  })
})

describe('a JSON file', () => {
  it('the lists of a JSON file are recognised by their names or keys, such as `watchlist`, even if they contain only the names of titles', async () => {
    const { rows, skips } = await parseText(
      'export.json',
      formatJson({
        user: { name: 'alice', watched: 3 },
        lists: [
          { title: 'Rainy days', items: [{ title: 'Heat', year: 1995 }] },
          {
            name: 'Watched',
            items: [
              { title: 'Tank', watched_at: '2021-01-02' },
              { id: 5, genres: ['x'] },
            ],
          },
        ],
        watchlist: ['Alien', 7],
      }),
    )
    expect(rows).toMatchObject([
      { kind: 'listed', list: 'Rainy days', title: 'Heat' },
      { kind: 'watched', title: 'Tank', at: '2021-01-02' },
      { kind: 'listed', state: 'planned', title: 'Alien' },
    ])
    expect(skips.map(({ skip }) => skip)).toEqual(['no_title', 'bad_row'])
  })

  it('JSON Lines, and an object with a key for each title, are read like an array of titles', async () => {
    const entries = ['Heat', 'Tank'].map((title) => ({ title, watched_at: '2021-03-04T20:15:00Z' }))
    const lines = entries.map((entry) => JSON.stringify(entry))
    for (const text of [
      lines.join('\n'),
      `${lines.join('\r\n')}\r\n\r\n`,
      JSON.stringify({ user: { name: 'Ann' }, tt1: entries[0], tt2: entries[1] }),
    ]) {
      const { rows, skips } = await parseText('export.json', text)
      expect(rows.map(({ kind, title }) => [kind, title])).toEqual([
        ['watched', 'Heat'],
        ['watched', 'Tank'],
      ])
      expect(skips).toEqual([])
    }
  })

  it('the history of YouTube is not recognised, because its videos are neither movies nor series', () => {
    const youTubeEntry = {
      header: 'YouTube',
      title: 'Watched Heat',
      titleUrl: 'https://www.youtube.com/watch?v=a',
      time: '2021-03-04T20:15:00Z',
    }
    expect(detectFormat('watch-history.json', formatJson([youTubeEntry]))).toBeNull()
  })

  it('the entries of an AniList data export are reported as skipped, because they have no titles', async () => {
    const list = { id: 1, series_id: 5, series_type: 0, status: 2, score: 90, finished_on: 20210102 }
    const { rows, skips } = await parseText(
      'gdpr_data.json',
      formatJson({ user: { id: 1, name: 'alice' }, lists: [list] }),
    )
    expect([rows, skips.map(({ skip }) => skip)]).toEqual([[], ['no_title']])
  })
})

describe('an unusual, hostile or damaged file', () => {
  it('a file that has only a header contains no rows', async () => {
    expect(await parseText('a.csv', 'Title,Watched at\n')).toEqual({ rows: [], skips: [] })
  })

  it('the first filled cell is used if several columns have the same meaning', async () => {
    const { rows } = await parseText(
      'a.csv',
      'Title,Title,Original title,Watched at,Watched at\nHeat,Tank,Hitze,,2021-01-02\n,Tank,,2021-01-03,\n',
    )
    expect(rows).toMatchObject([
      { title: 'Heat', originalTitle: 'Hitze', at: '2021-01-02' },
      { title: 'Tank', at: '2021-01-03' },
    ])
  })

  it('a file with 1,000 columns is read', async () => {
    const padding = Array.from({ length: 998 }, (_, index) => `c${index}`).join(',')
    const { rows } = await parseText(
      'a.csv',
      `Title,Watched at,${padding}\nHeat,2021-01-02${','.repeat(998)}\n`,
    )
    expect(rows).toMatchObject([{ title: 'Heat' }])
  })

  it('a title is read from the displayed text of the formulas HYPERLINK and ="text" and from a number, and a row with any other formula as its title is skipped', async () => {
    const { rows, skips } = await parseText(
      'a.csv',
      'Title,Year,Watched at\n"=HYPERLINK(""https://www.imdb.com/title/tt0113277/"",""Heat"")",1995,2021-01-02\n"=""1917""",2019,2021-01-02\n1917,2019.0,2021-01-02\n2012,2009,2021-01-02\n=A1+1,,2021-01-02\n,,2021-01-02\n,,\n',
    )
    expect(rows).toMatchObject([
      { title: 'Heat', ids: { imdb: 'tt0113277' } },
      { title: '1917', year: 2019 },
      { title: '1917', year: 2019 },
      { title: '2012', year: 2009 },
    ])
    expect(skips).toEqual([
      { line: 6, skip: 'no_title' },
      { line: 7, skip: 'no_title' },
    ])
  })

  it.each([
    ['Sat Dec 31 00:00:00 2016', '2016-12-31'],
    ['Sat Dec 31 18:30:05 2016', '2016-12-31T18:30:05Z'],
    ['Sat Dec 31 18:30:05 CST 2016', '2016-12-31'],
    ['Sat, 31 Dec 2016 18:30:05 GMT', '2016-12-31T18:30:05Z'],
    ['Sat, 31 Dec 2016 18:30 +0100', '2016-12-31T17:30:00Z'],
    ['Sat Dec 31 2016 18:30:05 GMT+0100 (Central European Standard Time)', '2016-12-31T17:30:05Z'],
    ['2016-12-31 18:30:05 UTC', '2016-12-31T18:30:05Z'],
    ['1483209005000000', '2016-12-31T18:30:05Z'],
  ])(
    'the date "%s", in the default format of a programming language or protocol, is read as %s',
    async (text, at) => {
      expect((await parseText('x.csv', `Title,Watched at\nHeat,"${text}"\n`)).rows).toMatchObject([{ at }])
    },
  )

  it.each([
    '1970-01-01',
    '1/1/1970',
    '1969-12-31T19:00:00Z',
    '1601-01-01',
    '0001-01-01T00:00:00.0000000Z',
    '30/12/1899',
  ])('a row with the placeholder date %s is imported without a date', async (text) => {
    const { rows, skips } = await parseText('x.csv', `Title,Watched,Watched at\nHeat,yes,${text}\n`)
    expect(rows).toMatchObject([{ kind: 'watched', title: 'Heat' }])
    expect(rows[0]).not.toHaveProperty('at')
    expect(skips).toEqual([])
  })

  it('a date that begins with the year is read as year, month and day, although other dates of the file begin with the day', async () => {
    const text = 'Title,Watched at\nHeat,2021/03/04\nTank,13/3/2021\nDark,4/3/2021 20:15\n'
    const { rows, skips } = await parseText('x.csv', text)
    expect(rows.map(({ at }) => at)).toEqual(['2021-03-04', '2021-03-13', '2021-03-04T20:15:00Z'])
    expect(skips).toEqual([])
  })

  it('impossible dates and episode numbers are reported with their line numbers', async () => {
    const { rows, skips } = await parseText(
      'a.csv',
      'Show,Season,Episode,Watched at\nDark,1,1,2021-02-30\nDark,1,12.5,2021-01-02\nDark,1,2,summer 2022\nDark,-1,2,2021-01-02\nDark,1,3,24 août 2022\n',
    )
    expect(rows).toMatchObject([{ episode: 2 }, { episode: 3, at: '2022-08-24' }])
    expect(rows[0]).not.toHaveProperty('at')
    expect(skips).toEqual([
      { line: 2, skip: 'bad_date' },
      { line: 3, skip: 'bad_row' },
      { line: 5, skip: 'bad_row' },
    ])
  })

  it('the complete records of truncated XML are returned, and no entities are expanded', async () => {
    const anime = '<anime><series_title>Heat &amp; &x;</series_title><my_status>Completed</my_status></anime>'
    const truncatedFile = await parseText('a.xml', `<myanimelist>\n${anime}\n<anime><series_title>Tank`)
    expect(truncatedFile.rows).toMatchObject([{ title: 'Heat & &x;' }])
    expect(truncatedFile.skips).toEqual([{ line: 3, skip: 'broken_file' }])
    const fileWithEntity = await parseText(
      'a.xml',
      `<myanimelist><!DOCTYPE a [<!ENTITY x "${'y'.repeat(100)}">]>${anime}</myanimelist>`,
    )
    expect(fileWithEntity).toEqual({ rows: [], skips: [{ line: 1, skip: 'broken_file' }] })
  })

  it('hostile files are read in linear time', async () => {
    const startedAtMs = performance.now()
    const episode =
      '<anime><series_title>Heat</series_title><my_watched_episodes>999999999</my_watched_episodes><series_type>TV</series_type></anime>'
    const texts: [string, string][] = [
      ['a.csv', `Title,Watched at,Type\n${'Heat,2021-01-02,movie\n'.repeat(20_000)}`],
      ['a.csv', `Title,Watched at\n"${' s1'.repeat(100_000)}",1${'T'.repeat(100_000)}\n`],
      ['a.xml', `<myanimelist>${'<a>'.repeat(100_000)}`],
      ['a.xml', `<myanimelist><anime>${'<![CDATA[x]]>'.repeat(50_000)}`],
      ['a.xml', `<myanimelist>${episode}<!--${'-'.repeat(500_000)}`],
      [
        'watched.json',
        `{"movies":[${'{"title":"Heat","a":{"a":{"a":{}}}},'.repeat(5_000)}{"title":"Tank"}]}`,
      ],
    ]
    for (const [fileName, text] of texts) await parseText(fileName, text)
    expect(performance.now() - startedAtMs).toBeLessThan(8_000)
  })
})
