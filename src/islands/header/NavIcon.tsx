import { Clapperboard, House, ListVideo, Tv } from 'lucide-react'

const ICONS = { home: House, movies: Clapperboard, tvshows: Tv, mylist: ListVideo }

/** Of a phone's navigation, whose words are small. */
export default function NavIcon({ page }: { page: keyof typeof ICONS }) {
  const Icon = ICONS[page]
  return <Icon aria-hidden size={22} />
}
