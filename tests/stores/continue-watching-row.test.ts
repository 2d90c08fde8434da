/** The links of the cards in the row Continue Watching. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { getCard } = await signInHousehold()
const { ContinueWatchingRow } = await import('../../src/islands/home/ContinueWatchingRow.tsx')

it('a card of Continue Watching links to the player, and the name of its title links to the title page', () => {
  const media = getCard('Night Harbour')
  const card = { media, progress: null, next_episode: null, updated_at: new Date().toISOString() }
  const html = renderToStaticMarkup(createElement(ContinueWatchingRow, { cards: [card], menu: null }))
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, url, content]) => ({
    url,
    content,
  }))
  expect(links).toEqual([
    { url: expect.stringContaining('/watch/'), content: expect.any(String) },
    {
      url: expect.stringMatching(new RegExp(`/movies/${media.slug}/?$`)),
      content: expect.stringContaining(media.title),
    },
  ])
})
