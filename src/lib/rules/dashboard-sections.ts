/** Sections of the dashboard, by their names in the URL and in the order of the menu. */
export const DASHBOARD_SECTIONS = [
  'overview',
  'users',
  'invitations',
  'catalogue',
  'library',
  'imports',
  'blocklist',
  'settings',
  'caches',
  'jobs',
  'backups',
  'audit',
] as const
export type DashboardSection = (typeof DASHBOARD_SECTIONS)[number]
