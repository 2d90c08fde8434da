import type { MediaCard } from '../../lib/contract/media.ts'
import { getNameLanguage } from '../../lib/i18n/name-language.ts'

interface NameProps {
  text: string | null | undefined
  /** Language of the text. If it is not known, the script of the text decides. */
  lang?: string | undefined
  className?: string
}

/**
 * A name or another text whose language may differ from that of the page. Screen readers pronounce it in its own
 * language, and its direction does not depend on the text around it.
 */
export const Name = ({ text, lang, className }: NameProps) => (
  <bdi lang={lang ?? (text ? getNameLanguage(text) : undefined)} className={className}>
    {text}
  </bdi>
)

/** The name of a title, in the language that the server states. */
export const TitleName = ({
  title,
  className,
}: {
  title: Pick<MediaCard, 'title' | 'title_lang'>
  className?: string
}) => <Name text={title.title} lang={title.title_lang} {...(className && { className })} />
