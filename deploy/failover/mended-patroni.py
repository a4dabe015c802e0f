"""Starts Debian 12's Patroni with two mistakes of version 3.0 mended."""
from patroni.__main__ import main
from patroni.dcs.etcd3 import Etcd3, PatroniEtcd3Client, base64_encode
from patroni.ha import Ha
from patroni.version import __version__

process = Ha.process_sync_replication
put = PatroniEtcd3Client.put
update_leader = Etcd3._update_leader


def process_sync_replication(ha):
    """Also ends the wait for a standby that is neither connected nor, in etcd, one that may be promoted.

    It had died before etcd knew of it; no commit ended until it returned (https://github.com/patroni/patroni/issues/3468).
    """
    if ha.is_synchronous_mode() and not ha.is_synchronous_mode_strict() and not ha.cluster.sync.members:
        handler = ha.state_handler.sync_handler
        connected, _ = handler.current_state(ha.cluster)
        if not connected:
            handler.set_synchronous_standby_names([])
    process(ha)


def put_own(client, key, value, lease=None, create_revision=None, mod_revision=None, retry=None):
    """Writes a key; the leader's only if this node or nobody has it.

    A primary that was paused took it from the new one (https://github.com/patroni/patroni/pull/2689).
    """
    if key != client._etcd3.leader_path or create_revision is not None or mod_revision is not None:
        return put(client, key, value, lease, create_revision, mod_revision, retry)
    fields = {'key': base64_encode(key), 'value': base64_encode(value), 'lease': lease}
    is_own = {'key': fields['key'], 'target': 'VALUE', 'value': fields['value']}
    done = client.txn(is_own, {'request_put': fields}, retry) or put(client, key, value, lease, 0, None, retry)
    client.is_leader_lost = not done
    return done


def update_own_leader(dcs):
    """Returns whether this node still leads; Patroni did not look at what `put` returned."""
    dcs._client.is_leader_lost = False
    return update_leader(dcs) and not dcs._client.is_leader_lost


# Later versions have other functions.
if __version__.startswith('3.0.'):
    Ha.process_sync_replication = process_sync_replication
    PatroniEtcd3Client.put = put_own
    Etcd3._update_leader = update_own_leader

# Patroni's own child processes load this file, too.
if __name__ == '__main__':
    main()
