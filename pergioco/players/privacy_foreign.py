"""The same for the tables that Django and allauth own: what they hold of people, and how long."""

from pergioco.players.privacy import MEMBER, SECRET, STAFF

FOREIGN: dict[str, dict[str, str]] = {
    "admin.LogEntry": {
        STAFF: "id action_time user content_type object_id object_repr action_flag change_message",
    },
    "auth.Group": {STAFF: "id name permissions"},
    "auth.Permission": {STAFF: "id name content_type codename"},
    "contenttypes.ContentType": {STAFF: "id app_label model"},
    "sessions.Session": {SECRET: "session_key session_data expire_date"},
    "account.EmailAddress": {MEMBER: "id user email verified primary"},
    "account.EmailConfirmation": {SECRET: "id email_address created sent key"},
    "mfa.Authenticator": {MEMBER: "id user type created_at last_used_at", SECRET: "data"},
    "usersessions.UserSession": {
        MEMBER: "id user created_at ip last_seen_at user_agent data",
        SECRET: "session_key",
    },
}
