import type { Migration } from 'kysely/migration'
import * as m0001 from './0001_start.ts'
import * as m0002 from './0002_access.ts'
import * as m0003 from './0003_deletions.ts'
import * as m0004 from './0004_library.ts'
import * as m0005 from './0005_viewings.ts'
import * as m0006 from './0006_sign_in.ts'
import * as m0007 from './0007_media_file.ts'
import * as m0008 from './0008_seek_thumbnails.ts'
import * as m0009 from './0009_title_edit.ts'
import * as m0010 from './0010_ratings_and_lists.ts'
import * as m0011 from './0011_calendar.ts'
import * as m0012 from './0012_sign_in_methods.ts'
import * as m0013 from './0013_episode_text.ts'
import * as m0014 from './0014_media_servers.ts'
import * as m0015 from './0015_notice_delivery.ts'
import * as m0016 from './0016_bin.ts'
import * as m0017 from './0017_identity.ts'
import * as m0018 from './0018_api_key_and_email_change.ts'
import * as m0019 from './0019_remote_pairing.ts'
import * as m0020 from './0020_audience.ts'
import * as m0021 from './0021_family_time.ts'
import * as m0022 from './0022_search_facets.ts'
import * as m0023 from './0023_media_title_language.ts'
import * as m0024 from './0024_viewing_note.ts'
import * as m0025 from './0025_credits_of_people.ts'
import * as m0026 from './0026_search_log_position.ts'
import * as m0027 from './0027_time_zone_of_device.ts'
import * as m0028 from './0028_repeated_writes.ts'
import * as m0029 from './0029_newest_of_library.ts'
import * as m0030 from './0030_request_of_edit.ts'
import * as m0031 from './0031_joined_names.ts'

/** All migrations in order. A released migration must not be changed or removed. There are no down migrations. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001_start': m0001,
  '0002_access': m0002,
  '0003_deletions': m0003,
  '0004_library': m0004,
  '0005_viewings': m0005,
  '0006_sign_in': m0006,
  '0007_media_file': m0007,
  '0008_seek_thumbnails': m0008,
  '0009_title_edit': m0009,
  '0010_ratings_and_lists': m0010,
  '0011_calendar': m0011,
  '0012_sign_in_methods': m0012,
  '0013_episode_text': m0013,
  '0014_media_servers': m0014,
  '0015_notice_delivery': m0015,
  '0016_bin': m0016,
  '0017_identity': m0017,
  '0018_api_key_and_email_change': m0018,
  '0019_remote_pairing': m0019,
  '0020_audience': m0020,
  '0021_family_time': m0021,
  '0022_search_facets': m0022,
  '0023_media_title_language': m0023,
  '0024_viewing_note': m0024,
  '0025_credits_of_people': m0025,
  '0026_search_log_position': m0026,
  '0027_time_zone_of_device': m0027,
  '0028_repeated_writes': m0028,
  '0029_newest_of_library': m0029,
  '0030_request_of_edit': m0030,
  '0031_joined_names': m0031,
}
