import type { getLibraryFile } from '../../../lib/contract/admin-library.ts'
import type { ReplyOf } from '../../../lib/contract/endpoint.ts'
import { formatRuntime } from '../../../lib/i18n/format.ts'
import { formatNames } from '../../../lib/i18n/format-names.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { formatBytes, formatLocalDateTime } from '../kit/formatters.ts'

/** Path, size and modification time of a file, the title in its name, its media information and its subtitle files. */
export function FileFacts({ details }: { details: ReplyOf<typeof getLibraryFile> }) {
  const { file, video, content_type, subtitles } = details
  const parsedName =
    file.parsed_title && (file.parsed_year ? `${file.parsed_title} (${file.parsed_year})` : file.parsed_title)
  const resolution = video && `${video.width} × ${video.height}`
  const facts: [label: string, value: string | null][] = [
    [t('dashboardlibrary:path'), file.path],
    [t('dashboardlibrary:size'), formatBytes(file.size)],
    [t('dashboardlibrary:changed'), formatLocalDateTime(file.modified_at)],
    [t('dashboardlibrary:readName'), parsedName || null],
    [t('dashboardlibrary:container'), content_type],
    [t('dashboardlibrary:picture'), [resolution, file.quality].filter(Boolean).join(' · ') || null],
    [t('dashboardlibrary:duration'), video?.duration_seconds ? formatRuntime(video.duration_seconds) : null],
    [t('dashboardlibrary:chapters'), video && video.chapters > 0 ? formatNumber(video.chapters) : null],
    [t('dashboardlibrary:subtitleFiles'), formatNames(subtitles.map(({ label }) => label)) || null],
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
      {facts.map(
        ([label, value]) =>
          value !== null && (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="min-w-0 break-words">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
