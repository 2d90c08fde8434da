import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { openNamedList } from '../lib/stores/named-list-page.ts'
import { $profile } from '../lib/stores/profile.ts'
import { GuardedPage } from './GuardedPage.tsx'
import { ListDetails } from './lists/ListDetails.tsx'
import { ListOverview } from './lists/ListOverview.tsx'

export default function ListsPage() {
  return (
    <GuardedPage>
      <NamedLists />
    </GuardedPage>
  )
}

/** The named list with the id in the URL, or all named lists. */
function NamedLists() {
  const profile = useStore($profile)
  const listId = new URLSearchParams(location.search).get('id') ?? ''
  useEffect(() => {
    if (profile) openNamedList(listId)
  }, [profile, listId])
  return listId ? <ListDetails /> : <ListOverview />
}
