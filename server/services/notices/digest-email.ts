/** Renders the weekly email as plain text and simple HTML. */
import type { MediaCard } from '../../../src/lib/contract/media.ts'
import { getTextDirection, type Locale } from '../../../src/lib/i18n/locales.ts'
import { href } from '../../../src/lib/routes.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import type { EmailMessage } from '../../providers/smtp.ts'
import type { NoticeRow } from '../../queries/notice.ts'
import type { DigestRecipient } from '../../queries/notice-setting.ts'
import type { ReleaseRow } from '../../queries/release.ts'
import type { Deps } from '../deps.ts'
import { getSenderAddress } from '../operations/email.ts'
import { createTranslate, type Translate, toMessageLocale } from '../operations/message-texts.ts'
import {
  buildNoticePath,
  buildTitlePath,
  describeNotices,
  groupByTitle,
  splitNotices,
} from './notice-messages.ts'

const MAX_DIGEST_TITLES = 30

export interface DigestContent {
  notices: readonly NoticeRow[]
  releases: readonly ReleaseRow[]
  cardsById: ReadonlyMap<number, MediaCard>
}
interface DigestLine {
  name: string
  text: string
  url: string
}
interface DigestSection {
  heading: string
  lines: DigestLine[]
}

export function renderDigest(
  config: Deps['config'],
  recipient: DigestRecipient,
  content: DigestContent,
  unsubscribeToken: string,
): EmailMessage {
  const locale = toMessageLocale(recipient.language)
  const translate = createTranslate(locale, { site: config.siteName, name: recipient.name })
  const toAbsoluteUrl = (path: string) => new URL(path, config.publicUrl).href
  const sections = buildSections(locale, translate, content, toAbsoluteUrl)
  const unsubscribeUrl = toAbsoluteUrl(`/api/unsubscribe/${unsubscribeToken}`)
  const links = [
    {
      text: translate('mail:digestSettings'),
      url: toAbsoluteUrl(href('account', locale, { query: { tab: 'notices' } })),
    },
    { text: translate('mail:digestEnd'), url: unsubscribeUrl },
  ]
  return {
    from: getSenderAddress(config),
    to: recipient.email,
    subject: translate('mail:digestSubject'),
    text: renderText(translate, sections, links),
    html: renderHtml(locale, translate, sections, links),
    unsubscribeUrl,
  }
}

function buildSections(
  locale: Locale,
  translate: Translate,
  { notices, releases, cardsById }: DigestContent,
  toAbsoluteUrl: (path: string) => string,
): DigestSection[] {
  const { requests: requestNotices, releases: releaseNotices } = splitNotices(notices)
  const buildNoticeLines = (lineNotices: readonly NoticeRow[]) =>
    // The notices are sorted by age, the oldest first. Above MAX_DIGEST_TITLES titles, the titles with the oldest
    // notices are omitted. No later email contains them.
    groupByTitle(lineNotices, cardsById)
      .slice(-MAX_DIGEST_TITLES)
      .map(({ card, titleNotices }) => ({
        name: card.title,
        text: describeNotices(locale, translate, titleNotices),
        url: toAbsoluteUrl(buildNoticePath(locale, card, titleNotices)),
      }))
  const releaseLines = releases.flatMap((release) => {
    const card = cardsById.get(release.title_id)
    if (!card) return []
    const releaseText = describeRelease(locale, translate, release)
    return [{ name: card.title, text: releaseText, url: toAbsoluteUrl(buildTitlePath(locale, card)) }]
  })
  return [
    { heading: translate('mail:noticeRequests'), lines: buildNoticeLines(requestNotices) },
    { heading: translate('mail:digestNew'), lines: buildNoticeLines(releaseNotices) },
    { heading: translate('mail:digestNext'), lines: releaseLines },
  ].filter(({ lines }) => lines.length > 0)
}

/**
 * Returns the episode code and the date of a release. Omits the name of the episode, because it can be a
 * spoiler.
 */
function describeRelease(locale: Locale, translate: Translate, release: ReleaseRow): string {
  const dateFormat = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  const dateText = dateFormat.format(new Date(`${release.date}T00:00:00Z`))
  if (release.season_number === 0) return dateText
  const episodeCode = translate('common:episodeCode', {
    season: release.season_number,
    episode: release.episode_number,
  })
  return `${episodeCode} · ${dateText}`
}

interface DigestLink {
  text: string
  url: string
}

function renderText(translate: Translate, sections: DigestSection[], links: DigestLink[]): string {
  const paragraphs = [
    translate('mail:digestIntro'),
    ...sections.map(({ heading, lines }) =>
      [heading, ...lines.map(({ name, text, url }) => `- ${name}\n  ${text}\n  ${url}`)].join('\n'),
    ),
    ...links.map(({ text, url }) => `${text}\n${url}`),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

function renderHtml(
  locale: Locale,
  translate: Translate,
  sections: DigestSection[],
  links: DigestLink[],
): string {
  const renderLink = (url: string, linkText: string) =>
    `<a href="${escapeMarkup(url)}"><bdi>${escapeMarkup(linkText)}</bdi></a>`
  const renderLine = ({ name, text, url }: DigestLine) =>
    `<li>${renderLink(url, name)}<br>${escapeMarkup(text)}</li>`
  return [
    `<!doctype html><html lang="${locale}" dir="${getTextDirection(locale)}"><body>`,
    `<p>${escapeMarkup(translate('mail:digestIntro'))}</p>`,
    ...sections.flatMap(({ heading, lines }) => [
      `<h2>${escapeMarkup(heading)}</h2>`,
      `<ul>${lines.map(renderLine).join('')}</ul>`,
    ]),
    ...links.map(({ text, url }) => `<p>${renderLink(url, text)}</p>`),
    '</body></html>',
  ].join('\n')
}
