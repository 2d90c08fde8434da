/** The dashboard's sections by the names that its address says, in the order of its menu. */
export const SECTIONS = [
  'overview',
  'users',
  'invitations',
  'catalogue',
  'imports',
  'blocklist',
  'settings',
  'caches',
  'jobs',
  'backups',
  'audit',
] as const
export type Section = (typeof SECTIONS)[number]
