import type { LibraryFileEntry } from '../../../lib/contract/admin-library.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { formatBytes } from '../kit/formatters.ts'
import { type BadgeTone, StatusBadge } from '../kit/StatusBadge.tsx'
import type { DataTableColumn } from '../kit/table-columns.ts'

const TONES_BY_STATE: Record<LibraryFileEntry['state'], BadgeTone> = {
  matched: 'good',
  unmatched: 'bad',
  ignored: 'off',
}

export const getFileName = ({ path }: Pick<LibraryFileEntry, 'path'>) => path.slice(path.lastIndexOf('/') + 1)
const getFolderPath = ({ path }: Pick<LibraryFileEntry, 'path'>) =>
  path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** Returns the title of a file with year and episode, or the reason why it has none. */
export function formatFileTitle({ title, season, episodes, reason }: LibraryFileEntry): string {
  if (!title) return reason === null ? '' : t(`dashboardlibrary:fileReason_${reason}`)
  const name = title.year === null ? title.title : `${title.title} (${title.year})`
  const [episode] = episodes
  if (season === null || episode === undefined) return isolateBidi(name)
  return `${isolateBidi(name)} · ${t('common:episodeCode', { season, episode })}`
}

/** True if the file needs a title and has none. A copy of a disc needs none, because the server cannot play it. */
const isTitleNeeded = ({ state, reason }: LibraryFileEntry) => state === 'unmatched' && reason !== 'disc'

export function createFileColumns(
  onOpen: (file: LibraryFileEntry) => void,
): DataTableColumn<LibraryFileEntry>[] {
  return [
    {
      key: 'path',
      label: t('dashboardlibrary:file'),
      fillsWidth: true,
      renderCell: (file) => (
        <div className="min-w-0">
          {/* File names are always left-to-right, also in right-to-left pages. */}
          <bdi dir="ltr" className="block truncate font-medium" title={file.path}>
            {getFileName(file)}
          </bdi>
          <bdi dir="ltr" className="block truncate text-xs text-faint max-md:hidden">
            {getFolderPath(file)}
          </bdi>
          <bdi className="block truncate text-xs text-muted md:hidden">{formatFileTitle(file)}</bdi>
        </div>
      ),
    },
    {
      key: 'title',
      label: t('dashboardlibrary:belongsTo'),
      minBreakpoint: 'md',
      renderCell: (file) => (
        <bdi className={`block max-w-72 truncate ${file.title ? '' : 'text-muted'}`}>
          {formatFileTitle(file)}
        </bdi>
      ),
    },
    {
      key: 'state',
      label: t('dashboardlibrary:fileState'),
      minBreakpoint: 'lg',
      renderCell: (file) => (
        <StatusBadge tone={TONES_BY_STATE[file.state]}>
          {t(`dashboardlibrary:state_${file.state}`)}
        </StatusBadge>
      ),
    },
    {
      key: 'size',
      label: t('dashboardlibrary:size'),
      minBreakpoint: 'xl',
      isEndAligned: true,
      renderCell: (file) => <span className="numbers text-muted">{formatBytes(file.size)}</span>,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      hasHiddenLabel: true,
      isEndAligned: true,
      renderCell: (file) => (
        <ActionButton
          variant={isTitleNeeded(file) ? 'plain' : 'quiet'}
          aria-label={t(
            isTitleNeeded(file) ? 'dashboardlibrary:chooseTitleFor' : 'dashboardlibrary:openFile',
            {
              name: isolateBidi(getFileName(file)),
            },
          )}
          onClick={() => onOpen(file)}
        >
          {t(isTitleNeeded(file) ? 'dashboardlibrary:chooseTitle' : 'dashboardlibrary:details')}
        </ActionButton>
      ),
    },
  ]
}
